// Command csi-sanity runs the conformance tests of csi-test against lvmd and csi-controller.
//
// It differs from the program of that name in csi-test in two things. The targets are paths that
// kubelet forms, because lvmd accepts no others. The driver has its controller although the Node
// service is another program, which csi-test does not expect.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"google.golang.org/grpc"
)

const (
	size   = 256 << 20
	volume = "pvc-of-the-conformance-tests"
	// The staging target of a file system is in a folder with such a name.
	hash = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
)

// By the last part of a target in the tests, the UID of a pod. "path" is that of "some/path", where
// nothing is mounted.
var pods = map[string]string{
	"target":       "5a5a5a5a-5a5a-4a5a-8a5a-5a5a5a5a5a01",
	"other_target": "5a5a5a5a-5a5a-4a5a-8a5a-5a5a5a5a5a02",
	"path":         "5a5a5a5a-5a5a-4a5a-8a5a-5a5a5a5a5a03",
}

var (
	node       = flag.String("node", "", "socket of the Node service")
	controller = flag.String("controller", "", "socket of the Controller service")
	root       = flag.String("kubelet-root", "/var/lib/kubelet", "kubelet's root directory")
	driver     = flag.String("driver", "topolvm.io", "name of the driver")
	class      = flag.String("device-class", "", "device class of the volumes")
	access     = flag.String("access", "mount", "mount or block")
)

// outcome is what the tests call for a failure.
type outcome struct{ failed bool }

func (o *outcome) Fail() { o.failed = true }

// place is kubelet's path for a target of the tests. An empty one stays empty.
func place(target string) string {
	pod, found := pods[path.Base(target)]
	if !found {
		return target
	}
	if *access == "block" {
		return path.Join(*root, "plugins/kubernetes.io/csi/volumeDevices/publish", volume, pod)
	}
	return path.Join(*root, "pods", pod, "volumes/kubernetes.io~csi", volume, "mount")
}

func staging() string {
	folder := path.Join(*root, "plugins/kubernetes.io/csi")
	if *access == "block" {
		return path.Join(folder, "volumeDevices/staging", volume)
	}
	return path.Join(folder, *driver, hash, "globalmount")
}

// kubelet makes the folders of targets, and staging targets, before its calls.
func makeFolders(given string) (string, error) {
	for target := range pods {
		if err := os.MkdirAll(path.Dir(place(target)), 0o750); err != nil {
			return "", err
		}
	}
	return given, nil
}

func removeFolders(string) error {
	for target := range pods {
		// With an error for a folder that is not empty. The folders of a device are one.
		if err := os.Remove(path.Dir(place(target))); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

func makeStaging(given string) (string, error) { return given, os.MkdirAll(given, 0o750) }

// adapt puts kubelet's paths into a request, and the controller into the driver's capabilities.
func adapt(ctx context.Context, method string, request, reply any,
	connection *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	switch request := request.(type) {
	case *csi.NodePublishVolumeRequest:
		request.TargetPath = place(request.TargetPath)
	case *csi.NodeUnpublishVolumeRequest:
		request.TargetPath = place(request.TargetPath)
	case *csi.NodeGetVolumeStatsRequest:
		request.VolumePath = place(request.VolumePath)
	case *csi.NodeExpandVolumeRequest:
		request.VolumePath = place(request.VolumePath)
	}
	err := invoke(ctx, method, request, reply, connection, options...)
	if found, ok := reply.(*csi.GetPluginCapabilitiesResponse); ok && err == nil {
		found.Capabilities = append(found.Capabilities, &csi.PluginCapability{
			Type: &csi.PluginCapability_Service_{Service: &csi.PluginCapability_Service{
				Type: csi.PluginCapability_Service_CONTROLLER_SERVICE}}})
	}
	return err
}

func kindOf(target string) (sanity.PathKind, error) {
	found, err := os.Lstat(place(target))
	switch {
	case os.IsNotExist(err):
		return sanity.PathIsNotFound, nil
	case err != nil:
		return "", err
	case found.IsDir():
		return sanity.PathIsDir, nil
	case found.Mode().IsRegular():
		return sanity.PathIsFile, nil
	}
	return sanity.PathIsOther, nil
}

func main() {
	flag.Parse()
	if *node == "" || *controller == "" || *class == "" {
		fmt.Fprintln(os.Stderr, "--node, --controller and --device-class are required")
		os.Exit(2)
	}
	config := sanity.NewTestConfig()
	config.Address = "unix:" + *node
	config.ControllerAddress = "unix:" + *controller
	config.DialOptions = append(config.DialOptions, grpc.WithUnaryInterceptor(adapt))
	config.TestVolumeAccessType = *access
	config.TestVolumeSize = size
	config.TestVolumeExpandSize = 2 * size
	config.TestVolumeParameters = map[string]string{"topolvm.io/device-class": *class}
	config.StagingPath = staging()
	config.CreateTargetDir, config.RemoveTargetPath = makeFolders, removeFolders
	config.CreateStagingDir, config.RemoveStagingPath = makeStaging, os.Remove
	config.CheckPath = kindOf
	result := outcome{}
	sanity.Test(&result, config)
	if result.failed {
		os.Exit(1)
	}
}
